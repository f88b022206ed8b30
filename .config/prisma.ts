import { defineConfig } from 'prisma/config'

// `prisma generate` needs no schema engine, yet the command line tries to download one. Naming any program that
// exists keeps it from trying; `prisma migrate` is left alone, for those who have the engine.
if (process.argv.includes('generate')) process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath

export default defineConfig({
  schema: '../prisma/schema.prisma',
  migrations: { path: '../prisma/migrations' },
  datasource: { url: process.env.DATABASE_URL ?? '' },
})
