import { scriptError } from '../problems/script-error.ts'

const failed = new Set<HTMLLinkElement>()

// The error events of elements do not bubble. Therefore, this listener uses the capture phase.
addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failed.add(target)
  },
  true,
)

/** Retries the style sheets that could not be loaded. Vite requests each style sheet only once, even if it fails. */
export async function loadFailedStyles(): Promise<void> {
  await Promise.all(
    [...failed].map((link) => {
      failed.delete(link)
      const next = link.cloneNode() as HTMLLinkElement
      return new Promise<void>((resolve, reject) => {
        next.onload = () => resolve()
        next.onerror = () => reject(scriptError(`${next.href} could not be loaded`))
        link.replaceWith(next)
      })
    }),
  )
}
