import formbody from '@fastify/formbody'
import { bareFastify, listen } from './server.ts'

// Row 6: the cost of a form over HTTP without any work.
const app = bareFastify()
await app.register(formbody)
app.post('/oauth/token', async (request) => request.body)
await listen(app)
