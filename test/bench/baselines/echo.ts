import { bareFastify, listen } from './server.ts'

// Rows 1 and 13: the cost of JSON over HTTP without any work.
const app = bareFastify()
app.post('/*', async (request) => request.body)
await listen(app)
