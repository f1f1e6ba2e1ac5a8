import { isRecord, parseJson } from '../research/text/json.ts';

/** The body of an error as far as it could be read. */
export interface ErrorBody {
  /** The message and those of nested objects, in one text. */
  readonly text: string;
  /** What a person may read. */
  readonly message: string;
  /** `code`, `type` and the inner code in lower case. */
  readonly codes: readonly string[];
  readonly html: boolean;
  readonly empty: boolean;
  readonly requestId: boolean;
  readonly moderated: boolean;
}

/** The rest of a longer body says nothing more. In UTF-16 units. */
const maxBody = 50_000;

/** Reads the body of an error, whatever it is: objects, plain strings, numbers, nested texts, HTML, nothing. */
export function readErrorBody(raw: string): ErrorBody {
  const trimmed = raw.slice(0, maxBody).trim();
  const html = /^<(?:!doctype|html|head|body|center|title)/i.test(trimmed);
  if (html) {
    const title = /<title>([^<]*)<\/title>/i.exec(trimmed)?.[1]?.trim() ?? '';
    return { text: title, message: title, codes: [], html, empty: false, requestId: false, moderated: false };
  }
  // Plain text stays what it is.
  const value = parseJson(trimmed) ?? trimmed;
  // Gemini's compatible API puts its errors into a list.
  const root = record(Array.isArray(value) ? value[0] : value);
  const error = root ? (root['error'] ?? root['errors'] ?? root) : value;
  const inner = record(error);
  const metadata = record(inner?.['metadata']);
  const nested = record(inner?.['innererror']);
  const message = firstText(
    typeof error === 'string' ? error : undefined,
    inner?.['message'],
    inner?.['detail'],
    root?.['message'],
    root?.['detail'],
  );
  const raws = [message, metadata?.['raw'], inner?.['failed_generation']].filter(
    (part): part is string => typeof part === 'string',
  );
  const codes = [inner?.['code'], inner?.['type'], nested?.['code'], root?.['code'], root?.['__type']]
    .filter((code): code is string => typeof code === 'string')
    .map((code) => code.toLowerCase());
  return {
    text: raws.join(' '),
    message: typeof metadata?.['raw'] === 'string' ? `${message} ${metadata['raw']}` : message,
    codes,
    html: false,
    empty: trimmed === '' || trimmed === '{}' || trimmed === 'null',
    requestId: typeof root?.['request_id'] === 'string' && record(root['error']) !== undefined,
    moderated: Array.isArray(metadata?.['reasons']) && metadata['flagged_input'] !== undefined,
  };
}

/** The numeric status inside an error event ({"code": 502, …}); 0 when there is none. */
export function statusInBody(body: string): number {
  const error = record(record(parseJson(body))?.['error']);
  const code = error?.['status'] ?? error?.['code'];
  const status = typeof code === 'string' ? Number(code) : code;
  return typeof status === 'number' && status >= 400 && status < 600 ? status : 0;
}

function record(value: unknown): Record<string, unknown> | undefined {
  return isRecord(value) ? value : undefined;
}

function firstText(...values: readonly unknown[]): string {
  return values.find((value): value is string => typeof value === 'string' && value.trim() !== '')?.trim() ?? '';
}
