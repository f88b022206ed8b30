import { distance } from 'fastest-levenshtein'

type Environment = Record<string, string | undefined>

/**
 * Names variables that are set but mean nothing here, and are spelled nearly like a setting that is not set:
 * "DATABASE_URI: did you mean DATABASE_URL?"
 */
export function nearMisses(env: Environment, settings: readonly string[]): string[] {
  const known = new Set(settings)
  const unset = settings.filter((setting) => !env[setting])
  return Object.keys(env)
    .filter((name) => env[name] && !known.has(name))
    .flatMap((name) => {
      const meant = unset.find((setting) => isNear(name.toUpperCase(), setting))
      return meant ? [`${name}: did you mean ${meant}?`] : []
    })
}

/** Short names are near only at one edit, or with the same letters: HOME is not a misspelled HOST, but HSOT is. */
function isNear(name: string, setting: string): boolean {
  return distance(name, setting) <= (setting.length < 8 ? 1 : 2) || lettersOf(name) === lettersOf(setting)
}

function lettersOf(name: string): string {
  return [...name].sort().join('')
}
