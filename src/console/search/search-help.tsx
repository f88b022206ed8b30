import { Code, List, Text } from '@mantine/core'

export function SearchHelp() {
  return (
    <>
      <Text pt="md">Results contain all the words that you enter. You can also use:</Text>
      <List>
        <List.Item>
          <Code>"a phrase"</Code> for words in this order
        </List.Item>
        <List.Item>
          <Code>-word</Code> to leave out messages with a word
        </List.Item>
        <List.Item>
          <Code>one OR other</Code> for messages with one of two words
        </List.Item>
        <List.Item>
          <Code>begin*</Code> for all words that start with these letters
        </List.Item>
      </List>
    </>
  )
}
