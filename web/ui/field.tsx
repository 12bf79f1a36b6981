import type { JSX } from 'preact';
import { t } from '../words.ts';
import './field.css';

interface FieldProps {
  name: string;
  label: string;
  hint?: string | undefined;
  /** Why the value was refused. */
  fault?: string | undefined;
}

type InputProps = FieldProps & Omit<JSX.InputHTMLAttributes, 'name' | 'label'>;

/** A labelled input. Hint and fault are linked to it, so that screen readers read them with the label. */
export function Field({ name, label, hint, fault, ...input }: InputProps) {
  return (
    <Labelled {...{ name, label, hint, fault }} required={Boolean(input.required)}>
      <input id={name} name={name} {...describedBy({ name, hint, fault })} {...input} />
    </Labelled>
  );
}

type AreaProps = FieldProps & Omit<JSX.TextareaHTMLAttributes, 'name'>;

export function AreaField({ name, label, hint, fault, value, ...area }: AreaProps) {
  return (
    <Labelled {...{ name, label, hint, fault }} required={Boolean(area.required)}>
      <textarea id={name} name={name} {...describedBy({ name, hint, fault })} {...area}>
        {value}
      </textarea>
    </Labelled>
  );
}

type SelectProps = FieldProps &
  Omit<JSX.SelectHTMLAttributes, 'name'> & {
    options?: readonly Option[];
    /** Options under a heading each, after the others. */
    groups?: readonly { label: string; options: readonly Option[] }[];
  };

export interface Option {
  readonly value: string;
  readonly label: string;
}

export function SelectField(props: SelectProps) {
  const { name, label, hint, fault, options = [], groups = [], value, ...select } = props;
  return (
    <Labelled {...{ name, label, hint, fault }} required={Boolean(select.required)}>
      <select id={name} name={name} {...describedBy({ name, hint, fault })} {...select}>
        <Options options={options} value={value} />
        {groups.map((group) => (
          <optgroup key={group.label} label={group.label}>
            <Options options={group.options} value={value} />
          </optgroup>
        ))}
      </select>
    </Labelled>
  );
}

function Options({ options, value }: { options: readonly Option[]; value: unknown }) {
  return options.map((option) => (
    <option key={option.value} value={option.value} selected={option.value === value}>
      {option.label}
    </option>
  ));
}

interface LabelledProps extends FieldProps {
  required: boolean;
  children: JSX.Element;
}

function Labelled({ name, label, hint, fault, required, children }: LabelledProps) {
  return (
    <div class="field">
      <label for={name}>
        {label}
        {!required && <span class="optional"> {t('common.optional')}</span>}
      </label>
      {children}
      {hint && (
        <p class="field-hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {fault && (
        <p class="field-fault" id={`${name}-fault`}>
          {fault}
        </p>
      )}
    </div>
  );
}

function describedBy({ name, hint, fault }: Omit<FieldProps, 'label'>) {
  const ids = [hint && `${name}-hint`, fault && `${name}-fault`].filter(Boolean).join(' ');
  return {
    'aria-describedby': ids === '' ? undefined : ids,
    'aria-invalid': fault ? ('true' as const) : undefined,
  };
}
