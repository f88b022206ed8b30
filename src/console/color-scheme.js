// Sets the color scheme before the browser paints the page. The key is the one in theme.tsx.
let choice = null
try {
  choice = localStorage.getItem('skein-color-scheme')
} catch {}
const isDark = matchMedia('(prefers-color-scheme: dark)').matches ? choice !== 'light' : choice === 'dark'
document.documentElement.dataset.mantineColorScheme = isDark ? 'dark' : 'light'
