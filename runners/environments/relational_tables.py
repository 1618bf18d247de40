"""The tables of this project that the relational tools read. All rows are made up.

Ids differ between tables, have gaps and are no positions, so a guessed id finds nothing.
"""

from __future__ import annotations

from typing import Final

from leaderboard.files.tables_file import Food, Location, Tables, User

USERS: Final = (
    User(17, "Brimlo", "brimlo@example.org", 55, "teal", (131, 194)),
    User(24, "Zuvia", "zuvia@example.org", 12, "crimson", (118,)),
    User(38, "Ottka", "ottka@example.org", 83, "amber", (142, 105, 167)),
    User(52, "Wexelle", "wexelle@example.org", 55, "ivory", (156, 183)),
    User(61, "Fanno", "fanno@example.org", 29, "crimson", (105,)),
    User(79, "Yuriba", "yuriba@example.org", 34, "indigo", (167, 118)),
    User(94, "Plimmo", "plimmo@example.org", 68, "olive", (183, 131, 142)),
)

LOCATIONS: Final = (
    Location(12, "Tindleford", "2031-03-14 09:40", "Light Rain, Temperature: 52°F"),
    Location(29, "Port Quillon", "2031-03-14 16:05", "Windy, Temperature: 61°F"),
    Location(34, "Vantris", "2031-03-14 23:20", "Clear, Temperature: 70°F"),
    Location(55, "Kestrel Bay", "2031-03-14 11:55", "Foggy, Temperature: 47°F"),
    Location(68, "Old Marrow", "2031-03-14 14:30", "Partly Cloudy, Temperature: 66°F"),
    Location(83, "Snowmere", "2031-03-14 18:45", "Snow, Temperature: 28°F"),
)

FOODS: Final = (
    Food(105, "Lentil Soup", 240, ()),
    Food(118, "Walnut Brownie", 410, ("walnuts", "eggs", "wheat")),
    Food(131, "Shrimp Dumplings", 330, ("shellfish", "wheat", "soy")),
    Food(142, "Mushroom Risotto", 380, ("milk",)),
    Food(156, "Papaya Salad", 170, ("peanuts", "fish")),
    Food(167, "Cheese Toast", 290, ("milk", "wheat")),
    Food(183, "Plum Sorbet", 130, ()),
    Food(194, "Seaweed Rolls", 210, ("soy", "sesame")),
)

CURRENT_USER: Final = 52

TABLES: Final = Tables(USERS, LOCATIONS, FOODS, CURRENT_USER)
