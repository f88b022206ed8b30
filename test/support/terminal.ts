import { type SpawnOptions, spawn } from 'node:child_process'

/** Starts a program on its own terminal. `stdout` is what the terminal shows. */
export function spawnOnTerminal(words: string[], options: Pick<SpawnOptions, 'cwd' | 'env'>) {
  const command = words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
  return spawn('script', ['-qefc', command, '/dev/null'], { ...options, stdio: ['pipe', 'pipe', 'inherit'] })
}
