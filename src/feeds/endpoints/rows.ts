import { columnsOf } from '../../database/rows.ts'

export type {
  EventAttempt,
  EventDelivery,
  EventEndpoint,
  EventListener,
} from '../../generated/prisma/client.ts'

export const eventEndpointColumns = columnsOf('EventEndpoint', 'e')
export const prefixedEndpointColumns = columnsOf('EventEndpoint', 'e', 'endpoint')
export const eventListenerColumns = columnsOf('EventListener', 'l')
export const eventDeliveryColumns = columnsOf('EventDelivery', 'd')
export const eventAttemptColumns = columnsOf('EventAttempt', 'a')
