// Every thread of `npm run dev` loads this file. Worker threads need tsx, because Node 20 cannot run TypeScript.
import { isMainThread } from 'node:worker_threads'
import { register } from 'tsx/esm/api'

if (!isMainThread) register()
