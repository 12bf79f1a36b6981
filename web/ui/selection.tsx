import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { t } from '../words.ts';
import { Button } from './button.tsx';
import './selection.css';

type Id = string | number;

/** The selected rows of the page that is shown. */
export interface Selection {
  readonly ids: readonly Id[];
  readonly isAll: boolean;
  has(id: Id): boolean;
  set(id: Id, isSelected: boolean): void;
  setAll(isSelected: boolean): void;
}

/** Selects among these rows. What leaves the page, by a filter or another page, leaves the selection too. */
export function useSelection(shown: readonly Id[]): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<Id>>(new Set());
  const ids = shown.filter((id) => chosen.has(id));
  useLayoutEffect(() => setChosen(new Set(ids)), [shown.join()]);
  return {
    ids,
    isAll: shown.length > 0 && ids.length === shown.length,
    has: (id) => chosen.has(id),
    set(id, isSelected) {
      setChosen((before) => {
        const after = new Set(before);
        if (isSelected) after.add(id);
        else after.delete(id);
        return after;
      });
    },
    setAll: (isSelected) => setChosen(new Set(isSelected ? shown : [])),
  };
}

export function SelectAll({ selection }: { selection: Selection }) {
  return (
    <label class="select-box">
      <span class="visually-hidden">{t('console.table.selectAll')}</span>
      <input
        type="checkbox"
        checked={selection.isAll}
        indeterminate={selection.ids.length > 0 && !selection.isAll}
        onChange={(event) => selection.setAll(event.currentTarget.checked)}
      />
    </label>
  );
}

export function SelectOne(props: { selection: Selection; id: Id; name: string }) {
  const { selection, id, name } = props;
  return (
    <label class="select-box">
      <span class="visually-hidden">{t('console.table.select', { name })}</span>
      <input
        type="checkbox"
        checked={selection.has(id)}
        onChange={(event) => selection.set(id, event.currentTarget.checked)}
      />
    </label>
  );
}

/** What can be done with the selected rows, at the lower edge while any is selected. */
export function SelectionBar(props: { selection: Selection; children: ComponentChildren }) {
  const { selection, children } = props;
  const count = selection.ids.length;
  return (
    <div class="selection-bar" role="status" data-shown={count > 0}>
      {count > 0 && (
        <>
          <span class="figures">{t('console.table.selected', { count })}</span>
          {!selection.isAll && (
            <Button kind="quiet" type="button" onClick={() => selection.setAll(true)}>
              {t('console.table.selectAll')}
            </Button>
          )}
          <Button kind="quiet" type="button" onClick={() => selection.setAll(false)}>
            {t('console.table.clearSelection')}
          </Button>
          <span class="selection-actions">{children}</span>
        </>
      )}
    </div>
  );
}
