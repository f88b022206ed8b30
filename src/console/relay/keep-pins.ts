import type { RecordSourceSelectorProxy } from 'relay-runtime'

/** Shows the pins of a mutation's payload in the sidebar. */
export function keepPins(store: RecordSourceSelectorProxy, field: string): void {
  const pins = store.getRootField(field)?.getLinkedRecord('viewer')?.getLinkedRecords('pins')
  if (pins) store.getRoot().getLinkedRecord('viewer')?.setLinkedRecords(pins, 'pins')
}
