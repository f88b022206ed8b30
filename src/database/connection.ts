export type Edge<Row> = { cursor: string; node: Row }

export type Connection<Row> = {
  edges: Edge<Row>[]
  nodes: Row[]
  pageInfo: Ends & {
    startCursor: string | null
    endCursor: string | null
  }
}

export type Ends = { hasNextPage: boolean; hasPreviousPage: boolean }

type CursorOf<Row> = (row: Row) => string

/** A page of a list (Relay Cursor Connections). Creates a cursor only when it is read. */
export class LazyConnection<Row> implements Connection<Row> {
  // Uses classes, because creating an object with its own getters takes as long as creating a cursor.
  readonly nodes: Row[]
  readonly pageInfo: LazyPageInfo<Row>
  readonly #cursorOf: CursorOf<Row>

  constructor(nodes: Row[], ends: Ends, cursorOf: CursorOf<Row>) {
    this.nodes = nodes
    this.pageInfo = new LazyPageInfo(nodes, ends, cursorOf)
    this.#cursorOf = cursorOf
  }

  get edges(): Edge<Row>[] {
    return this.nodes.map((node) => new LazyEdge(node, this.#cursorOf))
  }
}

class LazyPageInfo<Row> {
  readonly hasNextPage: boolean
  readonly hasPreviousPage: boolean
  readonly #nodes: Row[]
  readonly #cursorOf: CursorOf<Row>

  constructor(nodes: Row[], { hasNextPage, hasPreviousPage }: Ends, cursorOf: CursorOf<Row>) {
    this.hasNextPage = hasNextPage
    this.hasPreviousPage = hasPreviousPage
    this.#nodes = nodes
    this.#cursorOf = cursorOf
  }

  get startCursor(): string | null {
    return this.#cursorAt(0)
  }

  get endCursor(): string | null {
    return this.#cursorAt(-1)
  }

  #cursorAt(index: number): string | null {
    const row = this.#nodes.at(index)
    return row === undefined ? null : this.#cursorOf(row)
  }
}

class LazyEdge<Row> implements Edge<Row> {
  readonly node: Row
  readonly #cursorOf: CursorOf<Row>

  constructor(node: Row, cursorOf: CursorOf<Row>) {
    this.node = node
    this.#cursorOf = cursorOf
  }

  get cursor(): string {
    return this.#cursorOf(this.node)
  }
}
