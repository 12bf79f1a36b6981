import { t } from '../../words.ts';
import '../../ui/check-list.css';
import { useFault } from './draft.ts';

interface CheckListProps<V> {
  /** The path of the list in the rule. */
  name: string;
  label: string;
  options: readonly { value: V; label: string }[];
  chosen: readonly V[];
  onChoose(chosen: V[]): void;
  /** With none chosen, all count. */
  noneIsAll?: boolean;
}

/** Some of a few, all of them visible. */
export function CheckList<V extends string | number>(props: CheckListProps<V>) {
  const { name, label, options, chosen, onChoose, noneIsAll = false } = props;
  const fault = useFault(name);
  return (
    <fieldset class="check-list">
      <legend>{label}</legend>
      {options.map(({ value, label: text }) => (
        <label key={value}>
          <input
            type="checkbox"
            name={name}
            value={value}
            checked={chosen.includes(value)}
            aria-invalid={fault ? 'true' : undefined}
            onChange={(event) => {
              const others = chosen.filter((one) => one !== value);
              onChoose(event.currentTarget.checked ? [...others, value] : others);
            }}
          />
          {text}
        </label>
      ))}
      {noneIsAll && chosen.length === 0 && <p class="muted">{t('console-rewards.noneIsAll')}</p>}
      {fault && <p class="field-fault">{fault}</p>}
    </fieldset>
  );
}
