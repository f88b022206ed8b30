import { NativeSelect, Text } from '@mantine/core'
import { useState } from 'react'
import { CommandBlock } from '../../commands/command-block.tsx'
import { examples } from './examples.ts'
import { type TemplateValues, valuesOf } from './template-values.ts'

/** Copies the templates for a program into the form. */
export function ExampleChoice({ onChoose }: { onChoose: (values: TemplateValues) => void }) {
  const [name, setName] = useState('')
  const example = examples.find((each) => each.name === name)
  const choose = (chosen: string) => {
    setName(chosen)
    const found = examples.find((each) => each.name === chosen)
    if (found) onChoose(valuesOf(found.templates))
  }
  return (
    <>
      <NativeSelect
        label="Copy an example"
        description="It replaces what is in the fields. Nothing is saved yet."
        data={[{ value: '', label: 'Choose a program' }, ...examples.map((each) => each.name)]}
        value={name}
        onChange={(event) => choose(event.currentTarget.value)}
      />
      {example && <Text size="sm">{example.where}</Text>}
      {example?.body && <CommandBlock label="Body" command={example.body} copies="the body" />}
    </>
  )
}
