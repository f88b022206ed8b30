import { Button, Group, Textarea } from '@mantine/core'
import { useState } from 'react'
import { quiet } from '../../../page/forms/action-button.tsx'
import { type TemplateField, type TemplateValues, templateFields } from './template-values.ts'
import styles from './templates.module.css'

type Props = {
  values: TemplateValues
  problems: Partial<Record<string, string>>
  onChange: (values: Partial<TemplateValues>) => void
}

/** A field for each template. Those that most webhooks do not need are shown on demand, or if they have a value. */
export function TemplateFields({ values, problems, onChange }: Props) {
  const [showsAll, setShowsAll] = useState(false)
  const isShown = (field: TemplateField) =>
    showsAll || usual.includes(field) || values[field] !== '' || problems[field] !== undefined
  return (
    <>
      {templateFields.map(
        ({ field, label, description }) =>
          isShown(field) && (
            <Textarea
              key={field}
              label={label}
              description={description}
              classNames={{ input: styles.source }}
              autosize
              minRows={field === 'text' ? 4 : 1}
              maxRows={16}
              maxLength={8000}
              spellCheck={false}
              autoCapitalize="off"
              autoComplete="off"
              dir="ltr"
              value={values[field]}
              error={problems[field]}
              onChange={(event) => onChange({ [field]: event.currentTarget.value })}
            />
          ),
      )}
      <Group>
        <Button {...quiet} size="xs" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? 'Show fewer fields' : 'Show all fields'}
        </Button>
      </Group>
    </>
  )
}

const usual: readonly TemplateField[] = ['text', 'threadBy', 'threadSubject', 'uniqueBy', 'state']
