/** Returns the URL of a picture if this service serves it, or null. The content security policy allows no other hosts. */
export function ownPicture(url: string | null | undefined): string | null {
  return url && URL.canParse(url) && new URL(url).origin === location.origin ? url : null
}
