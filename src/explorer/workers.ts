/** Loads workers from files, because the content security policy allows no other workers. */
Object.assign(globalThis, {
  MonacoEnvironment: {
    getWorker: (_id: string, label: string) => {
      const name = label === 'json' || label === 'graphql' ? label : 'editor'
      return new Worker(new URL(`explorer/${name}-worker.js`, document.baseURI))
    },
  },
})
