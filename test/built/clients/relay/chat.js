// Queries and mutations as a Relay client contains them. The test compiles this file and does not run it.
import { graphql } from 'relay-runtime'

export const page = graphql`
  query chatPageQuery($id: ID!) {
    me {
      id
      name
    }
    thread(id: $id) {
      ...chat_messages
    }
  }
`

export const messages = graphql`
  fragment chat_messages on Thread
  @argumentDefinitions(
    first: { type: "Int" }
    after: { type: "String" }
    last: { type: "Int" }
    before: { type: "String" }
  )
  @refetchable(queryName: "chatMessagesRefetchQuery") {
    id
    subject
    messages(first: $first, after: $after, last: $last, before: $before) @connection(key: "chat_messages") {
      edges {
        node {
          id
          ...chat_message
        }
      }
    }
  }
`

export const message = graphql`
  fragment chat_message on Message {
    text
    createdAt
    user {
      id
      name
    }
  }
`

export const send = graphql`
  mutation chatSendMutation($input: SendMessageInput!, $connections: [ID!]!) {
    sendMessage(input: $input) {
      messageEdge @appendEdge(connections: $connections) {
        cursor
        node {
          id
          ...chat_message
        }
      }
    }
  }
`

export const edge = graphql`
  query chatEdgeQuery($id: ID!) {
    node(id: $id) {
      ... on UserEdge {
        persistentChatEdge {
          node {
            ...chat_messages
          }
        }
      }
    }
  }
`

export const general = graphql`
  query chatGeneralQuery($id: ID!) {
    workspace: node(id: $id) {
      __typename
      ... on Workspace {
        id
        name
        generalGroup {
          id
          name
        }
      }
    }
    group(id: $id) {
      id
      isGeneral
    }
  }
`

export const people = graphql`
  query chatPeopleQuery($id: ID!) {
    workspace(id: $id) {
      id
      users(first: 100) @connection(key: "chat_users") {
        edges {
          node {
            id
            name
          }
        }
      }
    }
  }
`

export const createPerson = graphql`
  mutation chatCreatePersonMutation($input: CreateUserInput!, $connections: [ID!]!) {
    createUser(input: $input) {
      userEdge @appendEdge(connections: $connections) {
        cursor
        node {
          id
          name
        }
      }
    }
  }
`

export const deletePerson = graphql`
  mutation chatDeletePersonMutation($input: DeleteUserInput!, $connections: [ID!]!) {
    deleteUser(input: $input) {
      removedUserID @deleteEdge(connections: $connections)
    }
  }
`

export const follow = graphql`
  subscription chatFollowSubscription($id: ID!, $after: String, $connections: [ID!]!) {
    threadEvents(threadID: $id, after: $after) {
      id
      message @appendNode(connections: $connections, edgeTypeName: "MessageEdge") {
        id
        ...chat_message
      }
    }
  }
`
