type Results<T> = AsyncGenerator<T, void, void>

/**
 * Makes `return` call `close` first. A generator alone would wait for its next result before it returns. A generator
 * that has not started would not run its `finally`.
 */
export function closable<T>(results: Results<T>, close: () => void): Results<T> {
  const finish = results.return.bind(results)
  results.return = (value) => {
    close()
    return finish(value)
  }
  return results
}
