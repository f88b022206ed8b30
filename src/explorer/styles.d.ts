/** Declares the imports of style sheets, which esbuild bundles. */
declare module '*.css'
