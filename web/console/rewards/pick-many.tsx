import { useState } from 'preact/hooks';
import { useData } from '../../data.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { CloseIcon } from '../../ui/icons.tsx';
import { t } from '../../words.ts';
import { useFault } from './draft.ts';

export interface Picked {
  readonly id: number;
  /** What is typed to choose it: a login or a code. */
  readonly key: string;
  readonly name: string;
}

interface PickManyProps {
  /** The path of the list in the rule. */
  name: string;
  family: 'affiliates' | 'coupons';
  label: string;
  hint: string;
  chosen: readonly number[];
  onChoose(chosen: number[]): void;
  search(text: string): Promise<Picked[]>;
  /** One by its id; undefined if it was deleted. */
  get(id: number): Promise<Picked | undefined>;
}

/** Several of many: each is found by some letters and added to the list. */
export function PickMany(props: PickManyProps) {
  const { name, family, label, hint, chosen, onChoose } = props;
  const [text, setText] = useState('');
  const [isUnknown, setUnknown] = useState(false);
  const found = useData(family, text.length < 2 ? undefined : { pick: text }, () =>
    props.search(text),
  );
  const known = useData(family, chosen.length === 0 ? undefined : { picked: chosen.join() }, () =>
    Promise.all(chosen.map(props.get)),
  );
  const nameOf = (id: number) =>
    known.data?.find((one) => one?.id === id)?.name ?? t('console-rewards.number', { id });
  const fault = useFault(name);
  const add = async () => {
    const wanted = text.toLowerCase();
    const match = (await props.search(text)).find(({ key }) => key.toLowerCase() === wanted);
    setUnknown(match === undefined);
    if (!match) return;
    setText('');
    onChoose([...new Set([...chosen, match.id])]);
  };
  return (
    <div class="pick-many">
      <Field
        name={name}
        label={label}
        hint={hint}
        value={text}
        list={`${family}-found`}
        autocomplete="off"
        autocapitalize="none"
        required={chosen.length === 0}
        error={isUnknown ? t('console-rewards.unknown') : fault}
        onInput={(event) => setText(event.currentTarget.value.trim())}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || text === '') return;
          event.preventDefault();
          void add();
        }}
      />
      <datalist id={`${family}-found`}>
        {found.data?.map((one) => (
          <option key={one.id} value={one.key}>
            {one.name}
          </option>
        ))}
      </datalist>
      {text !== '' && (
        <Button type="button" kind="quiet" onClick={() => void add()}>
          {t('console-rewards.add')}
        </Button>
      )}
      {chosen.length > 0 && (
        <ul class="picked" aria-label={label}>
          {chosen.map((id) => (
            <li key={id}>
              {nameOf(id)}
              <button
                type="button"
                aria-label={t('console-rewards.takeOut', { name: nameOf(id) })}
                onClick={() => onChoose(chosen.filter((one) => one !== id))}
              >
                <CloseIcon aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
