import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import type { GraphQLSchema } from 'graphql'
import { accountOperatorResolvers } from './accounts/resolvers.ts'
import { sessionResolvers } from './accounts/sessions/resolvers.ts'
import { sessionEnds, shareSessionEnds } from './accounts/sessions/session-ends.ts'
import { grantResolvers } from './apps/grants/resolvers.ts'
import { appResolvers } from './apps/resolvers.ts'
import { webhookResolvers } from './apps/webhooks/resolvers.ts'
import type { Config } from './config.ts'
import type { Actor } from './context.ts'
import type { Database } from './database/database.ts'
import { Notifications } from './database/notifications.ts'
import { EventLog } from './events/event-log.ts'
import { measureEventLog } from './events/event-metrics.ts'
import { LiveLog } from './events/live-log.ts'
import { personalSignals, shareSignals } from './events/personal-signals.ts'
import type { LoggedEvent } from './events/read-events.ts'
import { isOwnUninstallation } from './feeds/can-hear.ts'
import { deliveryResolvers } from './feeds/deliveries/resolvers.ts'
import { endpointOperatorResolvers, endpointResolvers } from './feeds/endpoints/resolvers.ts'
import { eventRenderer } from './feeds/requests/render-event.ts'
import { RequestSender } from './feeds/requests/request-sender.ts'
import { feedResolvers, feedSubscriptions } from './feeds/resolvers.ts'
import { measureDeliveries } from './feeds/sending/delivery-metrics.ts'
import { DeliveryWorker } from './feeds/sending/delivery-worker.ts'
import { fileOperatorResolvers, fileResolvers } from './files/resolvers.ts'
import { operatorTypeDefs, typeDefs } from './generated/type-defs.ts'
import { contextFrom, operatorContextFrom } from './graphql/callers/context.ts'
import { explorerPage, explorerSession } from './graphql/explorer/explorer.ts'
import { OperationsAtOnce } from './graphql/limits/operations-at-once.ts'
import type { Subscriptions } from './graphql/options.ts'
import { graphqlRoutes } from './graphql/plugin.ts'
import { mergeResolvers, rootResolvers } from './graphql/resolvers.ts'
import { OpenStreams } from './graphql/subscriptions/open-streams.ts'
import { memberResolvers } from './groups/members/resolvers.ts'
import { groupResolvers } from './groups/resolvers.ts'
import { handleRequestBodies } from './http/bodies/request-bodies.ts'
import { allowOrigins } from './http/cors.ts'
import { docsRoutes, sdkPackage } from './http/docs/routes.ts'
import { drainBeforeClose } from './http/drain.ts'
import { healthRoutes, versionRoute } from './http/health.ts'
import { warnOf } from './http/outages.ts'
import { consolePages } from './http/pages/console.ts'
import { answerInTurn } from './http/pipelining.ts'
import { GuessLimiter } from './http/rate-limits/guess-limiter.ts'
import { limitConnections } from './http/rate-limits/limit-connections.ts'
import { openRateLimits } from './http/rate-limits/rate-limits.ts'
import { logRequests } from './http/request-log.ts'
import { answerNotFound, refuseUnusableHeaders, serverOptions, setCommonHeaders } from './http/server.ts'
import { linkToRequest, traceRequests } from './http/trace-requests.ts'
import { acceptWebSockets } from './http/upgrades.ts'
import { wakeAfterWrites } from './http/wake-after-writes.ts'
import { warningsOf } from './http/warnings.ts'
import { buttonResolvers } from './messages/buttons/resolvers.ts'
import { personal } from './messages/mentions/unread-mentions.ts'
import { followed, mine, muted } from './messages/mine/is-mine.ts'
import { mineResolvers } from './messages/mine/resolvers.ts'
import { reactionResolvers } from './messages/reactions/resolvers.ts'
import { isUnread } from './messages/reads/is-unread.ts'
import { readResolvers } from './messages/reads/resolvers.ts'
import { messageResolvers } from './messages/resolvers.ts'
import { searchResolvers } from './messages/search/resolvers.ts'
import { threadChangeResolvers } from './messages/thread-changes/resolvers.ts'
import { CallLog } from './messages/webhook-calls/call-log.ts'
import type { RepeatedCall } from './messages/webhook-calls/resend-call.ts'
import { webhookCallResolvers } from './messages/webhook-calls/resolvers.ts'
import { metadataRoute } from './oauth/metadata.ts'
import { oauthRoutes } from './oauth/routes.ts'
import { recordConnection } from './platform/scheduling/in-turns.ts'
import { signInRoutes } from './signin/routes.ts'
import { starterOperatorResolvers } from './starter/resolvers.ts'
import type { Storage } from './storage/storage.ts'
import { hasThread } from './threads/access.ts'
import { threadResolvers } from './threads/resolvers.ts'
import { transferRoutes } from './transfers/routes.ts'
import { signInLinkOperatorResolvers, viewerAccountResolvers } from './users/accounts/resolvers.ts'
import { userResolvers } from './users/resolvers.ts'
import { personalTokenResolvers } from './users/tokens/resolvers.ts'
import { previewTemplates } from './webhooks/preview-templates.ts'
import { repeatCall } from './webhooks/repeat-call.ts'
import { webhookRoutes } from './webhooks/routes.ts'
import { auditOperatorResolvers, auditResolvers } from './workspaces/audit/resolvers.ts'
import { invitationResolvers } from './workspaces/invitations/resolvers.ts'
import { workspaceOperatorResolvers, workspaceResolvers } from './workspaces/resolvers.ts'

declare module 'fastify' {
  interface FastifyInstance {
    eventLog: EventLog
    deliveries: DeliveryWorker
    webhookCalls: CallLog
  }
}

export type AppParts = {
  config: Config
  db: Database
  storage: Storage
  log: FastifyBaseLogger
}

const publicPath = '/public/graphql'
const operatorPath = '/operator/graphql'

const resolvers = mergeResolvers([
  rootResolvers,
  sessionResolvers,
  userResolvers,
  viewerAccountResolvers,
  personalTokenResolvers,
  groupResolvers,
  memberResolvers,
  workspaceResolvers,
  invitationResolvers,
  auditResolvers,
  fileResolvers,
  appResolvers,
  grantResolvers,
  webhookResolvers(hasThread),
  threadResolvers({ isUnread, mine, personal, followed, muted }),
  messageResolvers,
  buttonResolvers,
  reactionResolvers,
  readResolvers,
  mineResolvers,
  threadChangeResolvers,
  searchResolvers,
  feedResolvers,
  endpointResolvers,
  deliveryResolvers,
])

const operatorResolvers = mergeResolvers([
  fileOperatorResolvers,
  accountOperatorResolvers,
  signInLinkOperatorResolvers,
  workspaceOperatorResolvers,
  auditOperatorResolvers,
  starterOperatorResolvers,
  endpointOperatorResolvers,
])

export async function buildApp({ config, db, storage, log }: AppParts): Promise<FastifyInstance> {
  const app = Fastify({ ...serverOptions(config), loggerInstance: log })
  app.decorate('baseURL', config.baseURL)
  const rateLimits = await openRateLimits(config.redisURL, log)
  app.addHook('onClose', async () => rateLimits.close())
  const notifications = new Notifications(config.databaseURL)
  shareSignals(personalSignals(db), notifications)
  shareSessionEnds(sessionEnds(db), notifications)
  const eventLog = new EventLog(db, {
    notifications,
    onError: warnOf(log, 'events cannot be moved into the event log'),
  })
  app.decorate('eventLog', eventLog)
  app.addHook('onClose', () => eventLog.stop())
  const liveLog = new LiveLog(db, warnOf(log, 'the event log cannot be read'))
  eventLog.onAdvance(() => liveLog.advance())
  wakeAfterWrites(app, (request) => eventLog.wake(linkToRequest(request)))
  const guessLimiter = new GuessLimiter(rateLimits, config.wrongCredentialsPerMinute)
  answerInTurn(app.server)
  app.server.on('connection', recordConnection)
  limitConnections(app, config)
  await acceptWebSockets(app, [publicPath, operatorPath], config.limits.jsonBytes)
  handleRequestBodies(app)
  setCommonHeaders(app)
  traceRequests(app)
  logRequests(app)
  const stopMeasuring = [measureEventLog(db), measureDeliveries(db)]
  app.addHook('onClose', async () => stopMeasuring.forEach((stop) => void stop()))
  await allowOrigins(app, config.corsOrigins)
  answerNotFound(app)
  refuseUnusableHeaders(app)
  await app.register(healthRoutes, { db, warnings: warningsOf({ config, storage }) })
  await app.register(versionRoute, { database: config.databaseURL ? 'postgresql' : 'embedded' })
  metadataRoute(app, config)
  await app.register(oauthRoutes, { db, config, rateLimits, guessLimiter })
  const calls = new CallLog({ db, config }, warnOf(log, 'calls of webhooks cannot be stored'))
  app.decorate('webhookCalls', calls)
  app.addHook('onClose', () => calls.flush())
  await app.register(webhookRoutes, { db, config, storage, rateLimits, guessLimiter, calls })
  await app.register(transferRoutes, { db, config, storage, rateLimits })
  const openStreams = new OpenStreams({ each: config.subscriptionsPerCaller, total: config.subscriptions })
  const resending = { calls, repeat: (call: RepeatedCall) => repeatCall(app, call) }
  const ownResolvers = [resolvers, webhookCallResolvers(resending, previewTemplates)]
  const graphql = {
    maxBodyBytes: config.limits.jsonBytes,
    timeoutSeconds: config.graphqlTimeoutSeconds,
    // Both endpoints share the slots. Otherwise the operator, who can call both, would have twice as many.
    operationsAtOnce: new OperationsAtOnce(config.operationsAtOnce),
    openStreams,
    messagesPerSecond: config.webSocketMessagesPerSecond,
    subscriptions: {
      fields: feedSubscriptions(liveLog) as Subscriptions['fields'],
      isFarewell: (event: unknown, actor: Actor) => isOwnUninstallation(event as LoggedEvent, actor),
    },
    rateLimits,
    quotas: { installation: config.installationPointsPerMinute, workspace: config.workspacePointsPerMinute },
  }
  await app.register(async (scope) => {
    await graphqlRoutes(scope, {
      ...graphql,
      path: publicPath,
      typeDefs,
      resolvers: mergeResolvers(ownResolvers),
      contextOf: contextFrom({ db, config, storage }),
    })
    const deliveries = deliveryWorker({ config, db, storage, log }, eventLog, scope.graphql.schema)
    app.decorate('deliveries', deliveries)
    app.addHook('onClose', () => deliveries.stop())
  })
  await app.register(graphqlRoutes, {
    ...graphql,
    path: operatorPath,
    typeDefs: [...typeDefs, ...operatorTypeDefs],
    resolvers: mergeResolvers([...ownResolvers, operatorResolvers]),
    contextOf: operatorContextFrom({ db, config, storage }),
  })
  if (config.explorer) {
    await app.register(explorerPage)
    await app.register(explorerSession, { db, config })
  }
  await app.register(signInRoutes, { db, config, rateLimits })
  await app.register(consolePages, { limits: config.limits })
  await app.register(docsRoutes, { config })
  await app.register(sdkPackage)
  drainBeforeClose(app, (overMs) => openStreams.closeAll(overMs))
  return app
}

function deliveryWorker(shared: AppParts, eventLog: EventLog, schema: GraphQLSchema): DeliveryWorker {
  const { config, log } = shared
  const { eventNetworks: networks, eventTimeoutSeconds } = config
  return new DeliveryWorker({
    shared,
    eventLog,
    sender: new RequestSender({ networks, timeoutMs: eventTimeoutSeconds * 1000 }),
    render: eventRenderer(schema),
    onError: warnOf(log, 'events cannot be delivered'),
  })
}
