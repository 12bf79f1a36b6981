import { whatKinds } from '../../../src/web-contract/reward-kinds.ts';
import { Choice } from '../../ui/choice.tsx';
import { Field } from '../../ui/field.tsx';
import { t } from '../../words.ts';
import { useDraft, wordsOf } from './draft.ts';

const whats = ['everything', ...whatKinds] as const;

/** Which goods. */
export function WhatFields() {
  const { draft, set } = useDraft();
  const whatKind = whats.find((kind) => kind in draft.what) ?? 'everything';
  return (
    <>
      <Choice
        name="what"
        legend={t('console-rewards.what')}
        current={whatKind}
        options={whats.map((kind) => ({ value: kind, label: t(`console-rewards.what.${kind}`) }))}
        onChoose={(kind) => set({ what: kind === 'everything' ? {} : { [kind]: [] } })}
      />
      {whatKind !== 'everything' && <Goods key={whatKind} kind={whatKind} />}
    </>
  );
}

function Goods({ kind }: { kind: (typeof whatKinds)[number] }) {
  const { draft, set } = useDraft();
  const name = `what.${kind}`;
  return (
    <Field
      name={name}
      label={t(`console-rewards.ids.${kind}`)}
      hint={t('console-rewards.idsHint')}
      required
      autocomplete="off"
      autocapitalize="none"
      defaultValue={draft.what[kind]?.join(', ')}
      onInput={(event) => set({ what: { [kind]: wordsOf(event.currentTarget.value) } })}
    />
  );
}
