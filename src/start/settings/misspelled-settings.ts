import { distance } from 'fastest-levenshtein'

type Environment = Record<string, string | undefined>

/** Finds misspelled settings: "DATABASE_URI: did you mean DATABASE_URL?" Settings that are set are not suggested. */
export function misspelledSettings(env: Environment, settings: readonly string[]): string[] {
  const known = new Set(settings)
  const unset = settings.filter((setting) => !env[setting])
  return Object.keys(env)
    .filter((name) => env[name] && !known.has(name))
    .flatMap((name) => {
      const meant = unset.find((setting) => isNear(name.toUpperCase(), setting))
      return meant ? [`${name}: did you mean ${meant}?`] : []
    })
}

// Allows another order of letters or two edits (one in a short name). HSOT is a misspelled HOST, but HOME is not.
function isNear(name: string, setting: string): boolean {
  return distance(name, setting) <= (setting.length < 8 ? 1 : 2) || lettersOf(name) === lettersOf(setting)
}

function lettersOf(name: string): string {
  return [...name].sort().join('')
}
