import type { ComponentChildren } from 'preact';

interface TilesProps {
  isLarge?: boolean;
  facts: readonly ({ readonly name: string; readonly value: ComponentChildren } | false)[];
}

/** Names above their values, beside each other as far as there is room. */
export function Tiles({ facts, isLarge = false }: TilesProps) {
  return (
    <dl class="affiliate-tiles" data-large={isLarge}>
      {facts
        .filter((fact) => fact !== false)
        .map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
