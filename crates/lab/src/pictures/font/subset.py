"""Cuts Arimo down to the characters of charts, and writes its kerning as a `kern` table, the only kind that ab_glyph reads.

    python subset.py FOLDER_WITH_ARIMO_TTF FOLDER_TO_WRITE_TO
"""
import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont, newTable
from fontTools.ttLib.tables._k_e_r_n import KernTable_format_0

CHARACTERS = (
    "U+20-7E,U+A0-17F,U+386,U+388-38A,U+38C,U+38E-3A1,U+3A3-3CE,"  # Latin, Greek
    "U+2007,U+2009,U+200A,U+2010-2015,U+2018-201E,U+2020-2022,U+2026,U+202F,U+2030,U+2032-2033,U+2039-203A,U+20AC,"
    "U+2070,U+2074-208E,"  # superscripts and subscripts
    "U+2190-2195,"  # arrows
    "U+2202,U+2206,U+220F,U+2211-2212,U+221A,U+221E,U+2248,U+2260,U+2264-2265"  # mathematics
)
# Only the letters, digits and punctuation of English are kerned: kerning the rest is not worth its bytes.
KERNED = [chr(code) for code in range(0x21, 0x7F)]


def pairs(font, kerned):
    """Returns the kerning of the pairs of these glyphs, in units of the font."""
    found = {}
    gpos = font["GPOS"].table
    kern = {index for record in gpos.FeatureList.FeatureRecord if record.FeatureTag == "kern"
            for index in record.Feature.LookupListIndex}
    for index in sorted(kern):
        for table in gpos.LookupList.Lookup[index].SubTable:
            table = getattr(table, "ExtSubTable", table)
            if table.LookupType != 2:
                continue
            for left in kerned.intersection(table.Coverage.glyphs):
                if table.Format == 1:
                    second = table.PairSet[table.Coverage.glyphs.index(left)].PairValueRecord
                    values = {record.SecondGlyph: record.Value1 for record in second}
                else:
                    row = table.Class1Record[table.ClassDef1.classDefs.get(left, 0)].Class2Record
                    classes = table.ClassDef2.classDefs
                    values = {right: row[classes.get(right, 0)].Value1 for right in kerned}
                for right, value in values.items():
                    if right in kerned and value and getattr(value, "XAdvance", 0):
                        found.setdefault((left, right), value.XAdvance)
    return found


def cut(source, target):
    font = TTFont(source)
    names = font.getBestCmap()
    kerning = pairs(font, {names[ord(letter)] for letter in KERNED})

    options = subset.Options(hinting=False, layout_features=[], notdef_outline=True, recalc_timestamp=False)
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 7, 13, 14]
    options.drop_tables += ["GPOS", "GSUB", "GDEF", "DSIG", "gasp"]
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=subset.parse_unicodes(CHARACTERS))
    cutter.subset(font)

    table = KernTable_format_0()
    table.coverage, table.version, table.format, table.tupleIndex, table.kernTable = 1, 0, 0, None, kerning
    font["kern"] = newTable("kern")
    font["kern"].version, font["kern"].kernTables = 0, [table]
    font.save(target)
    print(target, Path(target).stat().st_size, "bytes,", len(kerning), "pairs")


for style in ("Regular", "Bold"):
    cut(Path(sys.argv[1]) / f"Arimo-{style}.ttf", Path(sys.argv[2]) / f"Arimo-{style}.ttf")
