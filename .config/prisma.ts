import { defineConfig } from 'prisma/config'

// `prisma generate` does not need the schema engine, but the command line tries to download it unless this
// variable names a program. `prisma migrate` needs the engine.
if (process.argv.includes('generate')) process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath

export default defineConfig({
  schema: '../prisma/schema.prisma',
  migrations: { path: '../prisma/migrations' },
  datasource: { url: process.env.DATABASE_URL ?? '' },
})
