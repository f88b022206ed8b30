type Results<T> = AsyncGenerator<T, void, void>

/**
 * Makes `return` call `close` first. Otherwise `return` would wait for the next result of the generator, or,
 * if the generator has not started, would not run its `finally`.
 */
export function closable<T>(results: Results<T>, close: () => void): Results<T> {
  const finish = results.return.bind(results)
  results.return = (value) => {
    close()
    return finish(value)
  }
  return results
}
