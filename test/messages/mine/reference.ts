/** What a person is told: for each thread that is theirs, the unread messages and mentions, and the sums of them. */
export type Attention = {
  threads: Record<string, number[]>
  /** The threads with unread messages, also the muted ones. */
  unreadThreads: string[]
  groups: string[]
  mentions: string[]
  unread: number[]
}

type Message = {
  id: string
  author: string
  position: number
  at: number
  isProgram: boolean
  /** Deleted, or a line about an event. */
  isGone: boolean
  mentions: readonly string[]
  calledAt: number
}

/** How far a thread was read by its own row. No floor before `keptAt` moves it. The last mark of all can take it back. */
type Row = { upTo: number; callsUpTo: number; keptAt: number; isMarked: boolean }

type Thread = {
  groups: readonly string[]
  named: boolean
  isDM: boolean
  /** A group chat cannot be followed. */
  isChat?: boolean
  messages: Message[]
  row: Row
  /** The floor of the follow, if the person follows the thread. */
  follow: number | undefined
  isMuted: boolean
}

const never = Number.NEGATIVE_INFINITY

/**
 * A slow copy of the rules, for one person. It has no clock: each change happens at the next number, or at the time that
 * the caller knows, in milliseconds. What happened before `#old` is more than a minute ago.
 */
export class Reference {
  readonly #personID: string
  #now = 0
  #old = 0
  #floor = never
  readonly #groups = new Map<string, { joinedAt: number; isMuted: boolean }>()
  /** When the threads of a group were marked as read. */
  readonly #marked = new Map<string, number>()
  readonly #threads = new Map<string, Thread>()
  #before: { groupID: string | undefined; floor: number; rows: Map<string, Row> } | undefined
  undone: { groupID?: string } = {}

  constructor(personID: string, generalGroupID: string) {
    this.#personID = personID
    this.#groups.set(generalGroupID, { joinedAt: never, isMuted: false })
  }

  get threadIDs(): string[] {
    return [...this.#threads.keys()]
  }

  messagesOf(threadID: string): Message[] {
    return this.#thread(threadID).messages
  }

  created(): void {
    this.#floor = this.#tick()
  }

  begin(threadID: string, of: Pick<Thread, 'groups' | 'named' | 'isDM' | 'isChat'>): void {
    const row = { upTo: 0, callsUpTo: never, keptAt: never, isMarked: false }
    this.#threads.set(threadID, { ...of, messages: [], row, follow: undefined, isMuted: false })
  }

  post(threadID: string, of: Partial<Message> & Pick<Message, 'id' | 'author'>): void {
    const thread = this.#thread(threadID)
    const position = thread.messages.length + 1
    const at = this.#tick(of.at)
    const mentions = of.mentions ?? []
    thread.messages.push({ isProgram: false, isGone: false, calledAt: never, ...of, mentions, position, at })
    const isOwn = of.author === this.#personID
    if (isOwn || mentions.includes(this.#personID)) this.#beginFollow(thread, at - 0.5)
  }

  edit(
    threadID: string,
    message: Message,
    { mentions, calls, ...when }: { mentions: readonly string[]; calls: boolean; at?: number },
  ): void {
    const at = this.#tick(when.at)
    const isNew = mentions.includes(this.#personID) && !message.mentions.includes(this.#personID)
    message.mentions = mentions
    if (calls) message.calledAt = at
    if (isNew) this.#beginFollow(this.#thread(threadID), at - 0.5)
  }

  isMember(groupID: string): boolean {
    return this.#groups.has(groupID)
  }

  join(groupID: string, at?: number): void {
    if (!this.isMember(groupID)) this.#groups.set(groupID, { joinedAt: this.#tick(at), isMuted: false })
  }

  leave(groupID: string): void {
    this.#groups.delete(groupID)
  }

  muteGroup(groupID: string, isMuted: boolean): void {
    const group = this.#groups.get(groupID)
    if (group) group.isMuted = isMuted
  }

  follow(threadID: string): void {
    this.#beginFollow(this.#thread(threadID), this.#tick())
  }

  unfollow(threadID: string): void {
    this.#thread(threadID).follow = undefined
  }

  mute(threadID: string, isMuted: boolean): void {
    this.#thread(threadID).isMuted = isMuted
  }

  markRead(threadID: string, upTo: number): void {
    const thread = this.#thread(threadID)
    const { readUpTo, callsUpTo } = this.#readState(thread)
    const later = thread.messages.filter(
      ({ position, calledAt, isGone }) =>
        position > upTo && position <= readUpTo && calledAt > callsUpTo && !isGone,
    )
    const calls = later.length > 0 ? Math.min(...later.map(({ calledAt }) => calledAt)) - 0.5 : this.#tick()
    thread.row.isMarked = false
    thread.row.upTo = Math.max(thread.row.upTo, upTo)
    thread.row.callsUpTo = Math.max(thread.row.callsUpTo, calls)
  }

  markUnread(threadID: string, from: number): void {
    const thread = this.#thread(threadID)
    const { readUpTo, callsUpTo } = this.#readState(thread)
    if (readUpTo < from) return
    thread.row = { upTo: from - 1, callsUpTo, keptAt: this.#tick(), isMarked: false }
  }

  markAllRead(groupID: string | undefined): void {
    const marked = [...this.#threads].filter(
      ([, { groups }]) => groupID === undefined || groups.includes(groupID),
    )
    const rows = new Map(marked.map(([id, { row }]) => [id, { ...row }]))
    this.#before = { groupID, floor: this.#floorOf(groupID), rows }
    this.#setFloor(groupID, Math.max(this.#floorOf(groupID), this.#old))
    for (const [, thread] of marked) {
      if (this.#unreadOf(thread).length + this.#unreadMentions(thread).length === 0) continue
      thread.row = { ...thread.row, upTo: thread.messages.length, callsUpTo: this.#tick(), isMarked: true }
    }
  }

  /** Takes back the last `markAllRead`. */
  undo(): boolean {
    if (!this.#before) return false
    const { groupID, floor, rows } = this.#before
    this.undone = groupID === undefined ? {} : { groupID }
    if (groupID !== undefined && !this.isMember(groupID)) return false
    this.#setFloor(groupID, floor)
    for (const [id, row] of rows) {
      const thread = this.#thread(id)
      if (thread.row.isMarked) thread.row = { ...row, isMarked: false }
    }
    this.#before = undefined
    return true
  }

  timePasses(): void {
    this.#old = this.#tick()
    this.#before = undefined
  }

  attention(): Attention {
    const mine = [...this.#threads].filter(([, thread]) => this.#isMine(thread))
    const counting = mine.filter(([, { isMuted }]) => !isMuted)
    const unreadIn = (isDM: boolean) =>
      counting.filter(([, thread]) => thread.isDM === isDM).map(([, thread]) => this.#unreadOf(thread))
    const mentions = [...this.#threads.values()].flatMap((thread) => this.#unreadMentions(thread))
    const groups = counting.filter(([, thread]) => this.#unreadOf(thread).length > 0 && !thread.isDM)
    return {
      threads: Object.fromEntries(
        mine.map(([id, thread]) => [
          id,
          [this.#unreadOf(thread).length, this.#unreadMentions(thread).length],
        ]),
      ),
      unreadThreads: mine
        .filter(([, thread]) => this.#unreadOf(thread).length > 0)
        .map(([id]) => id)
        .sort(),
      groups: [...new Set(groups.flatMap(([, thread]) => thread.groups))].sort(),
      mentions: mentions.map(({ id }) => id).sort(),
      unread: [
        unreadIn(false).filter((unread) => unread.length > 0).length,
        unreadIn(true).reduce((sum, unread) => sum + unread.length, 0),
        mentions.length,
      ],
    }
  }

  #thread(id: string): Thread {
    const thread = this.#threads.get(id)
    if (!thread) throw new Error(`no thread ${id}`)
    return thread
  }

  #tick(at = this.#now + 1): number {
    this.#now = Math.max(this.#now, at)
    return at
  }

  #beginFollow(thread: Thread, at: number): void {
    if (thread.isDM || thread.isChat || thread.follow !== undefined) return
    const floors = this.#membershipFloors(thread)
    thread.follow = floors.length > 0 ? Math.min(...floors) : at
  }

  #floorOf(groupID: string | undefined): number {
    return groupID === undefined ? this.#floor : (this.#marked.get(groupID) ?? never)
  }

  #setFloor(groupID: string | undefined, floor: number): void {
    if (groupID === undefined) this.#floor = floor
    else this.#marked.set(groupID, floor)
  }

  #membershipFloors({ groups }: Thread, { areMuted = false } = {}): number[] {
    return groups.flatMap((id) => {
      const group = this.#groups.get(id)
      return group?.isMuted === areMuted ? Math.max(group.joinedAt, this.#floorOf(id)) : []
    })
  }

  #isMine(thread: Thread): boolean {
    const { isDM, named, follow, groups } = thread
    return (
      isDM || named || follow !== undefined || groups.some((id) => this.#groups.get(id)?.isMuted === false)
    )
  }

  #readState(thread: Thread): { readUpTo: number; callsUpTo: number } {
    const { row, messages, follow, named } = thread
    const reasons = [
      ...this.#membershipFloors(thread),
      ...(follow === undefined ? [] : [follow]),
      ...(named ? [never] : []),
    ]
    const floors = reasons.length > 0 ? reasons : this.#membershipFloors(thread, { areMuted: true })
    const floor = Math.max(this.#floor, floors.length > 0 ? Math.min(...floors) : never)
    if (row.keptAt > floor) return { readUpTo: row.upTo, callsUpTo: row.callsUpTo }
    const before = messages.filter(({ at }) => at <= floor).length
    return { readUpTo: Math.max(row.upTo, before), callsUpTo: Math.max(row.callsUpTo, floor) }
  }

  #unreadOf(thread: Thread): Message[] {
    const { readUpTo, callsUpTo } = this.#readState(thread)
    return thread.messages.filter(
      ({ author, isGone, position, calledAt }) =>
        author !== this.#personID && !isGone && (position > readUpTo || calledAt > callsUpTo),
    )
  }

  /** A mention is unread until its message is read: joining and following do not read it. */
  #unreadMentions({ messages, row, isMuted }: Thread): Message[] {
    const since = new Map([[this.#personID, never]])
    for (const [id, group] of this.#groups) if (!group.isMuted) since.set(id, group.joinedAt)
    const isUnread = ({ position, at, calledAt, mentions, isProgram }: Message) =>
      mentions.some((target) => {
        if (isMuted && (target !== this.#personID || isProgram)) return false
        const floor = Math.max(this.#floor, since.get(target) ?? Number.POSITIVE_INFINITY)
        const isKept = row.keptAt > floor
        return (
          (position > row.upTo && (isKept || at > floor)) ||
          calledAt > (isKept ? row.callsUpTo : Math.max(row.callsUpTo, floor))
        )
      })
    return messages.filter(
      (message) => message.author !== this.#personID && !message.isGone && isUnread(message),
    )
  }
}
