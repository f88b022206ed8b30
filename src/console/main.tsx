import './styles.ts'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { App } from './app.tsx'
import { Theme } from './theme.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('The page has no root element')
createRoot(root).render(
  <Theme>
    <BrowserRouter>
      <App />
    </BrowserRouter>
  </Theme>,
)
