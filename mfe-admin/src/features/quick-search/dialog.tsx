import { useNavigate } from '@portal/router'
import { Dialog } from '@portal/ui/dialog'
import { type KeyboardEvent, lazy, Suspense, useCallback, useId, useState } from 'react'
import styles from './quick-search.module.css'
import { closeQuickSearch, MAX_LENGTH, registerSearchField, setText, useQuickSearch } from './search-state.ts'

/** Loads the code of the results, which is lazy, so that the field can be used before it has loaded. */
export const loadResultPanel = () => import('./result-panel.tsx')
const ResultPanel = lazy(loadResultPanel)

/**
 * Quick search for certificates, users, transactions and screens: a WAI-ARIA combobox. The focus stays in the field
 * while the arrow keys select a result and Enter opens it.
 */
export function QuickSearchDialog() {
  const id = useId()
  const navigate = useNavigate()
  const { text, enterPressed } = useQuickSearch()
  // Number of steps down from the first result. Steps are counted while results load, so they may exceed the number of results.
  const [steps, setSteps] = useState(0)
  const [activeOptionId, setActiveOptionId] = useState<string>()

  const changeText = useCallback((typed: string) => {
    setText(typed)
    setSteps(0)
  }, [])
  const openResult = useCallback(
    (to: string) => {
      closeQuickSearch()
      void navigate(to)
    },
    [navigate],
  )

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') useQuickSearch.setState({ enterPressed: true })
    else if (event.key === 'ArrowDown') setSteps(steps + 1)
    else if (event.key === 'ArrowUp') setSteps(steps - 1)
    else return
    event.preventDefault()
  }

  return (
    <Dialog open onClose={closeQuickSearch} title="Quick search">
      <div className={styles.search}>
        <input
          ref={registerSearchField}
          data-autofocus
          className={styles.field}
          type="text"
          role="combobox"
          aria-label="Search certificates, users, transactions and screens"
          aria-expanded={activeOptionId !== undefined}
          aria-controls={`${id}-list`}
          aria-activedescendant={activeOptionId}
          aria-autocomplete="list"
          placeholder="Number, name, email or transaction ID"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={MAX_LENGTH}
          value={text}
          onChange={event => changeText(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <Suspense
          fallback={
            <div className={styles.results} aria-busy>
              {text !== '' && <p className={styles.none}>Searching…</p>}
            </div>
          }
        >
          <ResultPanel
            id={id}
            text={text}
            enterPressed={enterPressed}
            steps={steps}
            onStep={setSteps}
            onActiveOption={setActiveOptionId}
            onType={changeText}
            onOpen={openResult}
          />
        </Suspense>
      </div>
    </Dialog>
  )
}
