/** Reads `.env` in the working directory, if it exists, into the environment. A variable that is already set wins. */
export function readEnvironmentFile(): void {
  try {
    process.loadEnvFile('.env')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT') throw new Error(`The file .env cannot be read (${code}).`)
  }
}
