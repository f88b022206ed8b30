import './workers.ts'
import { GraphiQL } from 'graphiql'
import 'graphiql/style.css'
import './page.css'
import { getOperationAST, parse } from 'graphql'
import { type ComponentProps, type FormEvent, useEffect, useEffectEvent, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { ask, follow, type GraphQLRequest, signIn } from './ask.ts'
import { type ExplorerContent, loadContent } from './starter-tabs.ts'

const tokenKey = 'skein-token'

type Session = ExplorerContent & { token: string }

/** The token and the text that the user types stay in this tab. A one-time link can provide the token. */
function Page() {
  const [session, setSession] = useState<Session>()
  const [problem, setProblem] = useState<string>()
  const open = async (token: string) => {
    try {
      setSession({ token, ...(await loadContent(token)) })
      sessionStorage.setItem(tokenKey, token)
    } catch (error) {
      setProblem(messageOf(error))
    }
  }
  const openWith = async (code: string) => {
    try {
      await open(await signIn(code))
    } catch (error) {
      setProblem(messageOf(error))
    }
  }
  const openStored = useEffectEvent(() => {
    const code = takeCode()
    if (code !== null) return void openWith(code)
    const known = sessionStorage.getItem(tokenKey)
    if (known !== null) void open(known)
  })
  useEffect(() => openStored(), [])
  const close = () => {
    sessionStorage.clear()
    setProblem(undefined)
    setSession(undefined)
  }
  return session ? <Explorer {...session} close={close} /> : <Welcome open={open} problem={problem} />
}

/** Returns the code of a one-time link and removes it from the address bar and the history. */
function takeCode(): string | null {
  const code = new URLSearchParams(location.search).get('code')
  if (code !== null) history.replaceState(null, '', location.pathname)
  return code
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function Welcome({ open, problem }: { open: (token: string) => void; problem: string | undefined }) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const token = new FormData(event.currentTarget).get('token')
    if (typeof token === 'string' && token.trim() !== '') open(token.trim())
  }
  return (
    <form className="welcome" onSubmit={submit}>
      <Mark />
      <h1>Skein explorer</h1>
      <label htmlFor="token">
        An access token from <code>POST /oauth/token</code>, or the operator token. It stays in this tab.
      </label>
      <input id="token" name="token" type="password" autoComplete="off" />
      <button type="submit">Open</button>
      {problem !== undefined && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
    </form>
  )
}

function Mark() {
  return <img className="mark" src="explorer/mark.svg" alt="" />
}

type Fetcher = ComponentProps<typeof GraphiQL>['fetcher']

function fetcherOf(token: string): Fetcher {
  return (parameters) => {
    const request = parameters as GraphQLRequest
    const operation = getOperationAST(parse(request.query), request.operationName)?.operation
    return (operation === 'subscription' ? follow : ask)(token, request) as ReturnType<Fetcher>
  }
}

function Explorer({ token, name, tabs, close }: Session & { close: () => void }) {
  return (
    <>
      <header className="bar">
        <Mark />
        <h1>Skein</h1>
        <span className="kind">explorer</span>
        <span className="name">{name}</span>
        <button type="button" onClick={close}>
          Forget the token
        </button>
      </header>
      <div className="explorer">
        <GraphiQL
          fetcher={fetcherOf(token)}
          defaultTabs={tabs}
          storage={sessionStorage}
          isHeadersEditorEnabled={false}
          defaultEditorToolsVisibility="variables"
        />
      </div>
    </>
  )
}

const page = document.getElementById('page')
if (page) createRoot(page).render(<Page />)
