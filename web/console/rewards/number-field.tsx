import { Field } from '../../ui/field.tsx';
import { numberOf } from './draft.ts';

interface NumberFieldProps {
  /** The path of the value in the rule. */
  name: string;
  label: string;
  value: number | null | undefined;
  required?: boolean;
  hint?: string;
  /** NaN if it is empty or no number. */
  onNumber(value: number): void;
}

/** A number with a decimal point or comma, as it is typed. */
export function NumberField({ value, onNumber, ...field }: NumberFieldProps) {
  return (
    <Field
      {...field}
      inputMode="decimal"
      autocomplete="off"
      pattern="[0-9]+([.,][0-9]+)?"
      defaultValue={value === null || value === undefined || Number.isNaN(value) ? '' : value}
      onInput={(event) => onNumber(numberOf(event.currentTarget.value))}
    />
  );
}
