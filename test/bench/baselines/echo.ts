import { bareFastify, listen } from './server.ts'

// Rows 1 and 13: what JSON over HTTP costs without any work.
const app = bareFastify()
app.post('/*', async (request) => request.body)
await listen(app)
