import './choice.css';

interface ChoiceProps {
  name: string;
  legend: string;
  options: readonly { value: string; label: string; hint?: string | undefined }[];
  current: string;
  onChoose(value: string): void;
}

/** One of a few, all of them visible. */
export function Choice({ name, legend, options, current, onChoose }: ChoiceProps) {
  return (
    <fieldset class="choice">
      <legend>{legend}</legend>
      {options.map(({ value, label, hint }) => (
        <label key={value}>
          <input
            type="radio"
            name={name}
            value={value}
            checked={value === current}
            onChange={() => onChoose(value)}
          />
          <span>
            {label}
            {hint && <span class="field-hint">{hint}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
