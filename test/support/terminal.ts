import { type SpawnOptions, spawn } from 'node:child_process'

/** Starts a program on a terminal of its own: what the terminal shows is the process's `stdout`. */
export function spawnOnTerminal(words: string[], options: Pick<SpawnOptions, 'cwd' | 'env'>) {
  const command = words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
  return spawn('script', ['-qefc', command, '/dev/null'], { ...options, stdio: ['pipe', 'pipe', 'inherit'] })
}
