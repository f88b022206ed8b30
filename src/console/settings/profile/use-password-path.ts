import { useLocation } from 'react-router'

/** Returns the path of the form that sets the password. From there, the person returns to the current page. */
export function usePasswordPath(): string {
  const { pathname } = useLocation()
  return `/account?continue=${encodeURIComponent(pathname)}#password`
}
