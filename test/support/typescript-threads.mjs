// Node starts a thread from a file by itself, and version 20 reads no TypeScript: so each thread of the tests loads this.
import { isMainThread } from 'node:worker_threads'
import { register } from 'tsx/esm/api'

if (!isMainThread) register()
