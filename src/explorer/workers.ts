/** The editors' workers are files of ours: no source of a worker is made in the page. */
Object.assign(globalThis, {
  MonacoEnvironment: {
    getWorker: (_id: string, label: string) => {
      const name = label === 'json' || label === 'graphql' ? label : 'editor'
      return new Worker(new URL(`explorer/${name}-worker.js`, document.baseURI))
    },
  },
})
