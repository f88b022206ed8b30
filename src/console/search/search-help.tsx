import { Code, List, Text } from '@mantine/core'

export function SearchHelp() {
  return (
    <>
      <Text pt="md">
        Results contain all the words that you enter. The last one can be the beginning of a word. You can
        also use:
      </Text>
      <List>
        <List.Item>
          <Code>"a phrase"</Code> for exactly these words in this order
        </List.Item>
        <List.Item>
          <Code>-"a phrase"</Code> to leave out messages with these words
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
