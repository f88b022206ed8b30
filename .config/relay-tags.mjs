import { basename } from 'node:path'

// A string such as `/public/graphql` is not a tag.
const tag = /(?<![\w/])graphql`([^`]*)`/g
const definition = /(?:query|mutation|subscription|fragment)\s+(\w+)/

/** A Vite plugin that replaces each `graphql` tag with the artifact that the Relay compiler wrote for it. */
export function relayTags() {
  return {
    name: 'relay-tags',
    enforce: 'pre',
    transform(code, file) {
      if (!/src\/console\/.*\.tsx?$/.test(file) || !code.includes('graphql`')) return null
      const imports = []
      const replaced = code.replace(tag, (_text, operation) => {
        const name = definition.exec(operation)?.[1]
        if (!name) throw new Error(`A graphql tag of ${basename(file)} has no name`)
        imports.push(`import ${name}Artifact from '/@artifacts/${name}.graphql.ts'`)
        return `${name}Artifact`
      })
      return { code: `${imports.join(';')};${replaced}`, map: null }
    },
    resolveId(id) {
      const artifact = /^\/@artifacts\/(.*)$/.exec(id)?.[1]
      return artifact && new URL(`../src/generated/console/${artifact}`, import.meta.url).pathname
    },
  }
}
