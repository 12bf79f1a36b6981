import type { ComponentChildren } from 'preact';
import { useContext, useState } from 'preact/hooks';
import { FieldErrorsOf } from '../../ui/field.tsx';
import { t } from '../../words.ts';
import { emptyDraft, useDraft, type RuleDraft } from './draft.ts';

/** What most rules leave as it is. */
const parts = ['order', 'from', 'to', 'limit', 'name', 'running', 'active'] as const;

const isSet = (draft: RuleDraft) =>
  parts.some((part) => JSON.stringify(draft[part]) !== JSON.stringify(emptyDraft[part]));

/** Folded for a new rule, which needs whom, what and how much; open where a rule has more, or one of it is refused. */
export function MoreConditions({ children }: { children: ComponentChildren }) {
  const { draft } = useDraft();
  const faults = Object.keys(useContext(FieldErrorsOf));
  const [isOpen, setOpen] = useState(() => isSet(draft));
  const isRefused = faults.some((name) => parts.some((part) => name.split('.')[0] === part));
  return (
    <details
      class="more-conditions"
      open={isOpen || isRefused}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>{t('console-rewards.moreConditions')}</summary>
      {children}
    </details>
  );
}
