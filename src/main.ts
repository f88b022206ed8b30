#!/usr/bin/env -S node --max-semi-space-size=32

const usage = `Usage: skein <command>

Commands:
  start  start the service; --accept-copy starts it on a copy of a data directory
  admin  the commands of the operator, while the service runs; see skein admin --help
`

// The AWS SDK still supports Node 20, but prints a warning of eight lines when it starts.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true'

const [command, ...words] = process.argv.slice(2)
if (command === 'start' && words.every((word) => word === '--accept-copy')) {
  const { start } = await import('./start/start.ts')
  await start(process.env, { acceptCopy: words.length > 0 })
} else if (command === 'admin') {
  const { runCommand } = await import('./cli/run-command.ts')
  await runCommand(words, process.env)
} else if (command === '--help') {
  process.stdout.write(usage)
} else {
  process.stderr.write(usage)
  process.exitCode = 2
}
