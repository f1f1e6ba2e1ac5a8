// zod 3 beside zod 4 (60 kB): libraries build a schema or two with it, and recognise one that is given to them. Ours are of zod 4,
// which has the same builders.
import * as zod from 'zod';

export const { z, object, ZodFirstPartyTypeKind } = zod;
