import formbody from '@fastify/formbody'
import { bareFastify, listen } from './server.ts'

// Row 6: what a form over HTTP costs without any work.
const app = bareFastify()
await app.register(formbody)
app.post('/oauth/token', async (request) => request.body)
await listen(app)
