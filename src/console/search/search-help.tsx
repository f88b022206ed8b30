import { Code, List, Text } from '@mantine/core'

/** Explains the syntax of a search. */
export function SearchHelp() {
  return (
    <>
      <Text pt="md">A message is found if it contains all words. You can also write:</Text>
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
