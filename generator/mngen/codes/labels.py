"""What the example of each code shows: the mistake, unless it is listed here."""

from __future__ import annotations

_BOTH = frozenset(["MN702", "MN715", "MN725", "MN783", "MN922"])
"""Codes whose example has a line that is wrong and one that is right, and says which."""

_CURED = (
    "MN250 MN300 MN301 MN701 MN704 MN706 MN708 MN709 MN710 MN711 MN712 MN714 MN716 MN717 MN718 MN719 MN720 MN721 "
    "MN722 MN723 MN724 MN728 MN729 MN730 MN733 MN734 MN735 MN736 MN737 MN738 MN739 MN740 MN741 MN742 MN743 MN744 "
    "MN745 MN746 MN747 MN749 MN751 MN752 MN753 MN754 MN755 MN756 MN757 MN758 MN759 MN760 MN761 MN762 MN763 MN765 "
    "MN767 MN768 MN769 MN770 MN771 MN772 MN773 MN774 MN775 MN776 MN777 MN778 MN779 MN780 MN781 MN782 MN784 MN785 "
    "MN788 MN789 MN790 MN791 MN792 MN793 MN794 MN795 MN796 MN797 MN814 MN910 MN917 MN918 MN919 MN920 "
    "MN923 MN924 MN925 MN926"
)
"""Codes whose example is what to write."""

CURED = frozenset(_CURED.split())


def label(code: str) -> str:
    """Return what stands above the example of a code."""
    if code in _BOTH:
        return "The mistake, and what to write"
    return "What to write" if code in CURED else "The mistake"


def shows_mistake(code: str) -> bool:
    """Tell whether the example of a code is a mistake of that kind."""
    return code not in CURED
