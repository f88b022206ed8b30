/** Styles are files of the bundle. */
declare module '*.css'
