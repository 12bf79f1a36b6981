import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { formatDate, storeToday } from '../format.ts';
import { t } from '../words.ts';
import './chart.css';

export interface ChartProps {
  /** What it shows, for screen readers; the numbers are in the table behind it. */
  label: string;
  /** Days of the store. */
  days: readonly string[];
  values: readonly (number | null)[];
  /** A second line, such as the period before or another affiliate, with its name. */
  other?: { readonly name: string; readonly values: readonly (number | null)[] } | undefined;
  format(value: number): string;
  /** Shorter, for the axis. */
  formatTick(value: number): string;
  /** Whether there are no values between two whole numbers. */
  isWhole: boolean;
}

const HEIGHT = 224;
const TOP = 8;
const BOTTOM = 28;
const RIGHT = 12;
const BASE = HEIGHT - BOTTOM;
const LABEL_WIDTH_MIN = 64;

/** A line by day. The line of text above it names the day under the pointer. */
export function Chart({ label, days, values, other, format, formatTick, isWhole }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [pointed, setPointed] = useState<number>();
  useLayoutEffect(() => {
    const element = place.current!;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const all = [...values, ...(other?.values ?? [])];
  const ticks = ticksFor(Math.max(0, ...all.map((value) => value ?? 0)), isWhole);
  const left = 16 + Math.max(24, ...ticks.map((tick) => formatTick(tick).length * 7));
  const step = (width - left - RIGHT) / Math.max(1, days.length - 1);
  const x = (index: number) => left + index * step;
  const y = (value: number) => BASE - (value / ticks.at(-1)!) * (BASE - TOP);
  const pointsOf = (of: readonly (number | null)[]) =>
    of.flatMap((one, i) => (one === null ? [] : [`${x(i).toFixed(1)} ${y(one).toFixed(1)}`]));
  const points = pointsOf(values);
  // The current day is not over: its part of the line is dashed.
  const isPartial = days.at(-1) === storeToday() && values.at(-1) !== null && points.length > 1;
  const whole = isPartial ? points.slice(0, -1) : points;
  const shown = pointed ?? days.length - 1;
  const value = values[shown];
  const text = (one: number | null | undefined) => (typeof one === 'number' ? format(one) : '–');
  const every = Math.max(1, Math.ceil(LABEL_WIDTH_MIN / Math.max(step, 1)));
  return (
    <div class="chart">
      <p class="chart-readout muted figures" aria-hidden>
        <span>{days[shown] && `${dayName(days[shown])}: ${text(value)}`}</span>
        {other && (
          <span>
            {other.name}: {text(other.values[shown])}
          </span>
        )}
      </p>
      <div ref={place} role="img" aria-label={label}>
        {width > 0 && (
          <svg
            width={width}
            height={HEIGHT}
            aria-hidden
            onPointerMove={({ offsetX }) =>
              setPointed(between(0, Math.round((offsetX - left) / step), days.length - 1))
            }
            onPointerLeave={() => setPointed(undefined)}
          >
            {ticks.map((tick) => (
              <g key={tick}>
                <line class="chart-grid" x1={left} x2={width - RIGHT} y1={y(tick)} y2={y(tick)} />
                <text class="chart-tick" x={left - 8} y={y(tick) + 4} text-anchor="end">
                  {formatTick(tick)}
                </text>
              </g>
            ))}
            {days.map(
              (day, i) =>
                i % every === 0 &&
                // A label at the edge would be cut off.
                x(i) + LABEL_WIDTH_MIN / 3 <= width && (
                  <text key={day} class="chart-tick" x={x(i)} y={HEIGHT - 8} text-anchor="middle">
                    {formatDate(day, 'short')}
                  </text>
                ),
            )}
            {points.length > 0 && (
              <>
                <path class="chart-area" d={`M${areaOf(points)}Z`} />
                {other && <path class="chart-other" d={`M${pointsOf(other.values).join('L')}`} />}
                <path class="chart-line" d={`M${whole.join('L')}`} />
                {isPartial && (
                  <path class="chart-line chart-partial" d={`M${points.slice(-2).join('L')}`} />
                )}
              </>
            )}
            {pointed !== undefined && typeof value === 'number' && (
              <circle class="chart-point" cx={x(pointed)} cy={y(value)} r={4} />
            )}
          </svg>
        )}
      </div>
    </div>
  );
}

/** The line, and from its ends down to zero. */
function areaOf(points: readonly string[]): string {
  const foot = (point: string) => `${point.split(' ')[0]} ${BASE}`;
  return [foot(points[0]!), ...points, foot(points.at(-1)!)].join('L');
}

function dayName(day: string): string {
  const name = formatDate(day, 'short');
  return day === storeToday() ? t('common.chart.partial', { day: name }) : name;
}

/** From zero to at least `most`, in four or five round steps. */
function ticksFor(most: number, isWhole: boolean): number[] {
  const rough = (most || 1) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const round = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough)!;
  const size = isWhole ? Math.max(1, round) : round;
  const count = Math.max(1, Math.ceil(most / size));
  return Array.from({ length: count + 1 }, (_, i) => i * size);
}

function between(least: number, value: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
